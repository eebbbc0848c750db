import { parseArgs } from 'node:util';
import { type BenchSetUp, setUpBench } from './bench-set-up.ts';
import { extents } from './extent.ts';
import { figureLine, isCount, isMet } from './figure.ts';
import { type Group, groups } from './groups.ts';
import { buildNativeTools, type NativeTools } from './native-tools.ts';

const usage = `Usage: npm run bench [-- [--quick | --short] [--json] [NAME…]]

Measures each figure beside its reference, the two in turn, and prints it as soon as it is known. Goes on where a
group of figures breaks. Exits with 1 where one broke or a limit was not met, and names them.

  NAME…    these groups alone
  --list   the names
  --quick  measures less often
  --short  runs each figure once, to see that it works; times are not judged then, failed calls are
  --json   a JSON object a line
  --help   this
`;

const { values: flags, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean' },
    quick: { type: 'boolean' },
    short: { type: 'boolean' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const extent = extents[flags.short ? 'short' : flags.quick ? 'quick' : 'full'];

/** Groups ask one broker in turn: it is set up for the first, and anew after one that broke. */
class SharedSetUp implements AsyncDisposable {
  #setUp: BenchSetUp | null = null;

  async get(): Promise<BenchSetUp> {
    this.#setUp ??= await setUpBench();
    return this.#setUp;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const setUp = this.#setUp;
    this.#setUp = null;
    // What is left of one that broke may not end well; the figures after it are measured all the same.
    await setUp?.dispose().catch(console.error);
  }
}

/** Prints a group's figures; the names of those whose limit was not met. */
async function measure(group: Group, tools: NativeTools, shared: SharedSetUp): Promise<string[]> {
  const unmet: string[] = [];
  const figures = group.shared
    ? group.measure(tools, extent, await shared.get())
    : group.measure(tools, extent);
  for await (const figure of figures) {
    const judged = !flags.short || isCount(figure);
    const met = isMet(figure);
    if (judged && !met) {
      unmet.push(figure.what);
    }
    const line = flags.json
      ? JSON.stringify({ group: group.name, ...figure, met: judged ? met : null })
      : figureLine(figure, judged);
    console.log(line);
  }
  return unmet;
}

async function measureAll(chosen: readonly Group[]): Promise<string[]> {
  const problems: string[] = [];
  const tools = buildNativeTools();
  await using shared = new SharedSetUp();
  for (const group of chosen) {
    console.error(`${group.name}: ${group.about} …`);
    try {
      for (const what of await measure(group, tools, shared)) {
        problems.push(`not met: ${what}`);
      }
    } catch (error) {
      console.error(error);
      problems.push(
        `broke: ${group.name} (${error instanceof Error ? error.message.split('\n')[0] : error})`,
      );
      await shared[Symbol.asyncDispose]();
    }
  }
  return problems;
}

const unknown = names.filter((name) => !groups.some((group) => group.name === name));
if (flags.help) {
  process.stdout.write(usage);
} else if (flags.list) {
  for (const { name, about } of groups) {
    console.log(`${name.padEnd(10)}${about}`);
  }
} else if (unknown.length > 0) {
  console.error(`bench: no figures are named ${unknown.join(', ')} (--list names all)`);
  process.exitCode = 2;
} else {
  const problems = await measureAll(groups.filter(({ name }) => names.length === 0 || names.includes(name)));
  for (const problem of problems) {
    console.error(problem);
  }
  process.exitCode = problems.length === 0 ? 0 : 1;
}
