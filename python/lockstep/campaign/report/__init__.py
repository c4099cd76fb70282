"""lockstep campaign report: what a campaign found, as a page, and as JUnit and SARIF for other programs."""
