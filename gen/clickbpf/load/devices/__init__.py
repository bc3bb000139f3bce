"""Network devices: found, made, prepared, and what is attached to them."""
