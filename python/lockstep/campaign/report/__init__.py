"""lockstep campaign report: a campaign's results as a page, and as JUnit and SARIF for other programs."""
