import { useState } from "react";

import { at, type Client } from "./server";

const URL_MARK = "{{url}}";
const WAYS = {
  http: { title: "Over HTTP", about: "The client calls this server, while it runs." },
  stdio: {
    title: "Over stdio",
    about:
      "The client starts a server of its own. Where the command loregraph is not on the search path, write its " +
      "whole path; in a checkout it is .venv/bin/loregraph.",
  },
} as const;

/** What to write where, so that an MCP client knows this server. */
export function Connect({ clients }: { clients: Client[] }) {
  const address = at("mcp");
  return (
    <div className="lore-panel">
      <h2>Connect an MCP client</h2>
      <p>
        Every root field of the schema is an MCP tool. The address is <code>{address}</code> (Streamable HTTP).
      </p>
      {(Object.keys(WAYS) as (keyof typeof WAYS)[]).map((transport) => (
        <section key={transport}>
          <h3>{WAYS[transport].title}</h3>
          <p>{WAYS[transport].about}</p>
          <div className="lore-cards">
            {clients
              .filter((client) => client.transport === transport)
              .map(({ name, place, text }) => (
                <Snippet key={name} name={name} place={place} text={text.replaceAll(URL_MARK, address)} />
              ))}
          </div>
        </section>
      ))}
    </div>
  );
}

function Snippet({ name, place, text }: { name: string; place: string; text: string }) {
  const [said, setSaid] = useState("");
  const copy = () => {
    // Outside https and loopback there is no clipboard to write to.
    const written = navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error());
    written.then(
      () => setSaid("Copied"),
      () => setSaid("Select the text and copy it"),
    );
  };
  return (
    <article className="lore-card">
      <h4>{name}</h4>
      <p className="lore-soft">
        Into {place} <span role="status">{said}</span>
      </p>
      <pre tabIndex={0}>{text}</pre>
      <button type="button" className="lore-button" onClick={copy} aria-label={`Copy the text for ${name}`}>
        Copy
      </button>
    </article>
  );
}
