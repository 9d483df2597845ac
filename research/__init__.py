"""Work about one game or one paper, made with what `gridwise` offers: see README.md."""
