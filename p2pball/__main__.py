"""`python -m p2pball` is `p2pball`."""

from p2pball.cli import main

if __name__ == "__main__":
    main()
