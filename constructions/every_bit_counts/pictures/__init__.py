"""Pictures of this paper alone; they change no verdict."""
