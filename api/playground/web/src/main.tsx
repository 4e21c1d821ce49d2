import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import "./workers";
import { App } from "./App";
import { type Content, fetchContent } from "./server";
import "./page.css";

const root = createRoot(document.getElementById("root")!);

// Without the content there is still a page to ask with.
const nothing: Content = { version: "", examples: [], clients: [] };
const content = await fetchContent().catch((): Content => nothing);

root.render(
  <StrictMode>
    <App content={content} />
  </StrictMode>,
);
