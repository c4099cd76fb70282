"""What notebooks and scripts show: the page of a launch, HTML of results, the magics. Each part is imported at its first use."""
