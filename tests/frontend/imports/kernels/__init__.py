from .inner.deep import deepest as from_package
