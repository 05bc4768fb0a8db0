"""How bad it is what a shell text does: what flows where, what is destroyed, installed, intercepted and set."""
