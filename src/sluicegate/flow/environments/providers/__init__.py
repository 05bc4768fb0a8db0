"""The providers of environments: this machine, a bubblewrap sandbox, a container."""
