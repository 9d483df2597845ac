"""Drawing: a View as text for any terminal, as sentences, and as SVG. Nothing here knows a rule."""
