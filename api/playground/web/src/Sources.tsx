import { useCallback, useEffect, useState } from "react";

import { fetchSources, type Source } from "./server";

const STATES: Record<Source["state"], string> = {
  READY: "ready",
  DEGRADED: "answers in part",
  UNAVAILABLE: "cannot answer",
  NOT_CONFIGURED: "waits for a setting",
};

/** What this server can answer from, and how well just now. */
export function Sources() {
  const [sources, setSources] = useState<Source[]>();
  const [problem, setProblem] = useState<string>();
  const load = useCallback(() => {
    fetchSources().then(
      (found) => {
        setSources(found);
        setProblem(undefined);
      },
      (error: Error) => setProblem(error.message),
    );
  }, []);
  useEffect(load, [load]);
  return (
    <div className="lore-panel">
      <h2>Sources</h2>
      {problem && <p role="alert">The sources could not be listed: {problem}</p>}
      {!sources && !problem && <p>Asking…</p>}
      {sources?.map((source) => (
        <article key={source.name} className="lore-card">
          <h3>
            {source.title} <span className={`lore-state lore-${source.state.toLowerCase()}`}>{STATES[source.state]}</span>
          </h3>
          <p>{source.description}</p>
          {source.message && <p>{source.message}</p>}
          <dl>
            {source.counts.map(({ kind, count }) => (
              <div key={kind}>
                <dt>{kind}</dt>
                <dd>{count.toLocaleString("en")}</dd>
              </div>
            ))}
            {source.dataVersion && (
              <div>
                <dt>data version</dt>
                <dd>{source.dataVersion}</dd>
              </div>
            )}
          </dl>
          {source.licences.map(({ name, url, attribution }) => (
            <p key={name} className="lore-soft">
              {url ? (
                <a href={url} rel="noreferrer">
                  {name}
                </a>
              ) : (
                name
              )}
              {attribution && `: ${attribution}`}
            </p>
          ))}
        </article>
      ))}
      <button type="button" className="lore-button" onClick={load}>
        Ask again
      </button>
    </div>
  );
}
