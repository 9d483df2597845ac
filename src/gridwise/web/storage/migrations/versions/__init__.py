"""One file a step. A step that has been released is never changed; the next one is added."""
