// SPDX-License-Identifier: GPL-2.0-or-later
// Has the engine of Chromium's DevTools read a trace-event file, and says in JSON what it found.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [engine, file] = process.argv.slice(2);

globalThis.DOMRect = class {
  constructor(x = 0, y = 0, width = 0, height = 0) {
    Object.assign(this, { x, y, width, height });
  }
};

const { TraceModel } = await import(pathToFileURL(`${engine}/models/trace/trace.js`));
const model = TraceModel.Model.createWithAllHandlers();
await model.parse(JSON.parse(fs.readFileSync(file, "utf8")).traceEvents);
const { Meta, Renderer, Flows } = model.parsedTrace().data;

const threads = [];
for (const [pid, process] of Renderer.processes) {
  for (const [tid, thread] of process.threads) {
    threads.push({
      process: Meta.processNames.get(pid)?.args?.name,
      tid,
      name: Meta.threadsInProcess.get(pid)?.get(tid)?.args?.name,
      slices: thread.entries.map((entry) => [entry.ts, entry.dur, entry.name]),
    });
  }
}
console.log(JSON.stringify({ threads, flows: Flows.flows.length }));
