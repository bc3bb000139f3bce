"""Network devices: finds, creates and prepares them, and attaches programs to them."""
