"""What reports are made of: tables and text (`document`), charts, and one page (`page.html`)."""
