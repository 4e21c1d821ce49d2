/** What the page asks of the server that it came from, and of no other. */

export interface Example {
  key: string;
  title: string;
  group: string;
  query: string;
  /** JSON text, or empty. */
  variables: string;
}

export interface Client {
  name: string;
  transport: "http" | "stdio";
  /** The file, or the terminal, that `text` goes into. */
  place: string;
  text: string;
}

export interface Content {
  version: string;
  examples: Example[];
  clients: Client[];
}

export interface Source {
  name: string;
  title: string;
  description: string;
  state: "READY" | "DEGRADED" | "UNAVAILABLE" | "NOT_CONFIGURED";
  message: string | null;
  dataVersion: string | null;
  counts: { kind: string; count: number }[];
  licences: { name: string; url: string | null; attribution: string | null }[];
}

/** An address beside the page's own: the page may lie below a prefix that a proxy put before it. */
export function at(path: string): string {
  return new URL(path, document.baseURI).href;
}

export async function fetchContent(): Promise<Content> {
  const response = await fetch(at("playground/content.json"));
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.json()) as Content;
}

const SOURCES = `query PlaygroundSources {
  sources {
    name title description state message dataVersion
    counts { kind count }
    licences { name url attribution }
  }
}`;

export async function fetchSources(): Promise<Source[]> {
  const response = await fetch(at("graphql"), {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ query: SOURCES }),
  });
  const answer = (await response.json()) as {
    data?: { sources: Source[] | null } | null;
    errors?: { message: string }[];
  };
  if (!answer.data?.sources) throw new Error(answer.errors?.[0]?.message ?? `HTTP ${response.status}`);
  return answer.data.sources;
}
