// What the scripts of the pages take for granted, for TypeScript: tests/web/test_scripts.py.
//
// The templates say which element has an id or an attribute; its properties are not declared here
// one by one, but misspelt names of our own functions, fields and variables are found.

interface Window {
  gridwise: { get(name: string): any; set(name: string, value: unknown): void; forget(): void };
}
interface Element {
  hidden: any;
  dataset: any;
  value: any;
  content: any;
  open: any;
  href: any;
  max: any;
  action: any;
  elements: any;
  requestSubmit(): void;
}
interface EventTarget {
  closest(selector: string): any;
  matches(selector: string): boolean;
  querySelector(selector: string): any;
  dataset: any;
}
interface Event {
  submitter: any;
  detail: any;
}
