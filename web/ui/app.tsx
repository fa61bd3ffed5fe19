// The program of every page: it looks at what the page is and puts it to work.

import { render } from "preact";
import { boot } from "./words";
import { Defs } from "./defs";
import { Home } from "./home";
import { Table } from "./table";
import { Header } from "./header";

const app = document.getElementById("app")!;
if (boot.page !== "busy") { // which has said all that there is
  app.replaceChildren();
  render(
    <>
      <Defs />
      <Header />
      {boot.page === "game" && boot.id ? <Table id={boot.id} /> : <Home missing={boot.page === "missing"} />}
    </>,
    app,
  );
}
