// SPDX-License-Identifier: GPL-2.0-or-later
// Vega-Lite specifications, a JSON list on standard input, to SVG texts, a JSON list on standard
// output. The first argument is the folder that has node_modules; nothing else is read.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { join, resolve } from "node:path";

const require = createRequire(join(resolve(process.argv[2]), "render.mjs"));
const load = async (name) => import(pathToFileURL(require.resolve(name)));
const [vega, lite] = await Promise.all([load("vega"), load("vega-lite")]);

// No chart may fetch anything, whatever its data say.
const loader = vega.loader();
loader.load = loader.sanitize = async () => {
  throw new Error("a chart has all of its data in itself");
};

async function draw(specification) {
  const { spec } = lite.compile(specification, { logger: vega.logger(vega.Error) });
  const view = new vega.View(vega.parse(spec), { renderer: "none", loader });
  return view.toSVG();
}

const charts = [];
for (const specification of JSON.parse(readFileSync(0, "utf8"))) charts.push(await draw(specification));
process.stdout.write(JSON.stringify(charts));
