"""What notebooks and scripts are shown: the page of a launch, HTML of results, the magics. Nothing here is imported before it is used."""
