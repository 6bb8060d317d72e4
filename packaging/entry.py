"""The first module of the frozen binary."""

from kubectl_kubex.__main__ import main

main()
