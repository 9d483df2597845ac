"""What positions are worth. So far it describes them; searching comes behind the same shapes."""
