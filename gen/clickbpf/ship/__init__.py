"""Objects in the forms that other loaders take them in."""
