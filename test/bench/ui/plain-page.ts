import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A page that does by hand what the figures ask of Lanyard's: a list that a key moves in, and of which it draws thirty
 * rows, a search in it, one word that ticks.
 */
const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Plain</title>
<link rel="icon" href="data:,">
<input type="search" aria-label="Search"><div role="grid" aria-label="Clusters" tabindex="0"></div><p id="ticks"></p>
<script>
const grid = document.querySelector('[role=grid]');
const names = Array.from({ length: 2000 }, (_, index) => 'c' + String(index).padStart(4, '0'));
function draw(found) {
  grid.setAttribute('aria-rowcount', String(found.length));
  grid.replaceChildren(...found.slice(0, 30).map((name, index) => {
    const row = document.createElement('div');
    row.setAttribute('role', 'row');
    row.setAttribute('aria-selected', String(index === 0));
    row.textContent = name;
    return row;
  }));
}
draw(names);
document.querySelector('input').addEventListener('input', ({ target }) =>
  draw(names.filter((name) => name.includes(target.value))));
grid.addEventListener('keydown', () => {
  grid.children[0].setAttribute('aria-selected', 'false');
  grid.children[1].setAttribute('aria-selected', 'true');
});
setInterval(() => { document.getElementById('ticks').textContent = new Date().toTimeString(); }, 1000);
</script></html>`;

export interface PlainPage extends Disposable {
  address: string;
}

/** Serves it on loopback: what the browser itself costs. */
export async function servePlainPage(): Promise<PlainPage> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
