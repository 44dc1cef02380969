from . import report, speed


def main() -> None:
    read = report.read_held_out()
    report.PAGE.write_text(report.write(read) + speed.section(), encoding="utf-8")
    report.FIGURE.write_text(report.diagram(read), encoding="utf-8")
    print(f"{report.PAGE.name} and {report.FIGURE.name} written")


if __name__ == "__main__":
    main()
