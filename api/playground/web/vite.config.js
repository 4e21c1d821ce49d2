import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig } from "vite";

const OUT = "../static";
const WORTH_PACKING = 2048;

// The server sends `name.gz` to whoever takes gzip; it packs nothing itself.
const packed = {
  name: "packed",
  apply: "build",
  closeBundle() {
    const folder = join(import.meta.dirname, OUT, "playground");
    for (const name of readdirSync(folder)) {
      if (!/\.(js|css|svg)$/.test(name)) continue;
      const content = readFileSync(join(folder, name));
      if (content.length >= WORTH_PACKING) writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
    }
  },
};

// Monaco carries code of others inside its own package, and tells of it in a file of its own.
const notices = {
  name: "notices",
  apply: "build",
  closeBundle() {
    const text = readFileSync(join(import.meta.dirname, "node_modules/monaco-editor/ThirdPartyNotices.txt"), "utf8");
    appendFileSync(join(import.meta.dirname, OUT, "playground", "licenses.md"), `\n## Inside monaco-editor\n\n${text}`);
  },
};

export default defineConfig({
  // Relative, so that the page works below any prefix that a proxy puts before it. `/` and `/graphql` lie equally deep.
  base: "./",
  plugins: [packed, notices],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    assetsDir: "playground",
    license: { fileName: "playground/licenses.md" },
    // Monaco is one large piece by nature, and is loaded after the page is there.
    chunkSizeWarningLimit: 5000,
    rolldownOptions: {
      onwarn(warning, warn) {
        // "use client" tells server rendering something, which there is none of.
        if (warning.code !== "MODULE_LEVEL_DIRECTIVE") warn(warning);
      },
    },
  },
  worker: { format: "es", rolldownOptions: { output: { entryFileNames: "playground/[name]-[hash].js" } } },
  server: {
    proxy: Object.fromEntries(
      ["/graphql", "/mcp", "/readyz", "/playground"].map((path) => [path, "http://127.0.0.1:8000"]),
    ),
  },
});
