"""What packets meet in a loaded router that is traced."""
