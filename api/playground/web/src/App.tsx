import { useEffect, useState } from "react";

import { Connect } from "./Connect";
import { Query } from "./Query";
import type { Content } from "./server";
import { Sources } from "./Sources";

const VIEWS = { query: "Query", sources: "Sources", connect: "Connect" } as const;
type View = keyof typeof VIEWS;

function viewOfAddress(): View {
  const name = location.hash.slice(1);
  return name in VIEWS ? (name as View) : "query";
}

/** The frame of the page: one view at a time, named by the fragment of the address. */
export function App({ content }: { content: Content }) {
  const [view, setView] = useState(viewOfAddress);
  useEffect(() => {
    const follow = () => setView(viewOfAddress());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return (
    <>
      <header className="lore-header">
        <h1>
          loregraph <small>{content.version}</small>
        </h1>
        <nav aria-label="Views">
          {(Object.keys(VIEWS) as View[]).map((name) => (
            <a key={name} href={`#${name}`} aria-current={name === view ? "page" : undefined}>
              {VIEWS[name]}
            </a>
          ))}
        </nav>
      </header>
      <main>
        {/* The editors keep what was typed while another view is shown. */}
        <div className="lore-view" hidden={view !== "query"}>
          <Query examples={content.examples} />
        </div>
        {view === "sources" && <Sources />}
        {view === "connect" && <Connect clients={content.clients} />}
      </main>
    </>
  );
}
