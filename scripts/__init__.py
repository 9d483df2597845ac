"""What developers run: documents, pictures, the times of the tests."""
