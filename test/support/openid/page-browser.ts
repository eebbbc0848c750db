import { type Agent, request } from 'undici';

interface Field {
  name: string;
  value: string;
  type: string;
}

interface Form {
  action: string;
  fields: Field[];
}

/** A page that a browser was left at. */
export interface Page {
  /** As its `data-page` or `data-page-id` says. */
  name: string;
  url: URL;
  status: number;
  html: string;
  forms: Form[];
  /** Each address on the way here that a redirect named. */
  redirects: readonly string[];
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function attributes(tag: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name = '', value = ''] of tag.matchAll(/([a-z-]+)="([^"]*)"/gi)) {
    found[name.toLowerCase()] = value.replace(/&(#39|[a-z]+);/g, (all, entity) => entities[entity] ?? all);
  }
  return found;
}

/** Reads the forms of a page. Made for the pages of the tests' providers: attributes are in double quotes. */
function readForms(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map(([, head = '', body = '']) => ({
    action: attributes(head)['action'] ?? '',
    fields: [...body.matchAll(/<input\b([^>]*)>/gi)].map(([, tag = '']) => {
      const { name = '', value = '', type = 'text' } = attributes(tag);
      return { name, value, type };
    }),
  }));
}

/** As much of a browser as providers' pages need: cookies with paths, redirects, forms. */
export class PageBrowser {
  readonly #cookies = new Map<string, { origin: string; path: string; pair: string }>();
  readonly #agent: Agent;
  readonly #follows: (url: URL) => boolean;

  /** `follows`: whether it goes where a redirect leads; else that is the page it is left at, unopened. */
  constructor(agent: Agent, follows: (url: URL) => boolean = () => true) {
    this.#agent = agent;
    this.#follows = follows;
  }

  async open(url: URL): Promise<Page> {
    return this.#request(url, null);
  }

  /** Submits the page's first form with its fields, `values` and the pressed button's pair. */
  async submit(page: Page, values: Record<string, string>): Promise<Page> {
    const form = page.forms[0];
    if (!form) {
      throw new Error(`the page ${page.name} has no form`);
    }
    const fields = form.fields.filter(({ type }) => type !== 'submit' && type !== 'checkbox');
    const sent = Object.fromEntries(fields.map((field) => [field.name, field.value]));
    return this.#request(new URL(form.action, page.url), { ...sent, ...values });
  }

  async #request(start: URL, form: Record<string, string> | null): Promise<Page> {
    let url = start;
    let body = form;
    const redirects: string[] = [];
    for (let hop = 0; hop < 10; hop += 1) {
      // Not fetch: a page is navigated to, and `Sec-Fetch-Mode` says so.
      const response = await request(url, {
        dispatcher: this.#agent,
        method: body === null ? 'GET' : 'POST',
        headers: {
          accept: 'text/html',
          cookie: this.#cookiesFor(url),
          'sec-fetch-mode': 'navigate',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: body === null ? null : new URLSearchParams(body).toString(),
      });
      this.#keep(url.origin, [response.headers['set-cookie'] ?? []].flat());
      const html = await response.body.text();
      const [location] = [response.headers['location'] ?? []].flat();
      if (location === undefined) {
        const status = response.statusCode;
        const name = /data-page(?:-id)?="([a-z0-9-]+)"/.exec(html)?.[1] ?? `status ${status}`;
        return { name, url, status, html, forms: readForms(html), redirects };
      }
      url = new URL(location, url);
      redirects.push(url.href);
      body = null;
      if (!this.#follows(url)) {
        return { name: 'elsewhere', url, status: response.statusCode, html: '', forms: [], redirects };
      }
    }
    throw new Error('too many redirects at the provider');
  }

  #keep(origin: string, setCookies: readonly string[]): void {
    for (const line of setCookies) {
      const pair = line.split(';', 1)[0] ?? '';
      const path = /;\s*path=([^;]*)/i.exec(line)?.[1] ?? '/';
      const expires = /;\s*expires=([^;]*)/i.exec(line)?.[1];
      const key = `${origin} ${path} ${pair.split('=', 1)[0]}`;
      if (expires !== undefined && Date.parse(expires) <= Date.now()) {
        this.#cookies.delete(key);
      } else {
        this.#cookies.set(key, { origin, path, pair });
      }
    }
  }

  #cookiesFor(url: URL): string {
    return [...this.#cookies.values()]
      .filter((cookie) => cookie.origin === url.origin && url.pathname.startsWith(cookie.path))
      .map((cookie) => cookie.pair)
      .join('; ');
  }
}
