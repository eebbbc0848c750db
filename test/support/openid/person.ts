import { Agent, request } from 'undici';

interface Field {
  name: string;
  value: string;
  type: string;
}

interface Form {
  action: string;
  fields: Field[];
}

interface Page {
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

/** Reads the forms of a page. Made for this provider's own pages: attributes are in double quotes. */
function readForms(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map(([, head = '', body = '']) => ({
    action: attributes(head)['action'] ?? '',
    fields: [...body.matchAll(/<input\b([^>]*)>/gi)].map(([, tag = '']) => {
      const { name = '', value = '', type = 'text' } = attributes(tag);
      return { name, value, type };
    }),
  }));
}

/** As much of a browser as the pages need: cookies with paths, redirects, forms. */
class Browser {
  readonly #cookies = new Map<string, { origin: string; path: string; pair: string }>();
  readonly #agent: Agent;

  constructor(agent: Agent) {
    this.#agent = agent;
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
    const sent = Object.fromEntries(form.fields.map((field) => [field.name, field.value]));
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
        const name = /data-page="([a-z]+)"/.exec(html)?.[1] ?? `status ${status}`;
        return { name, url, status, html, forms: readForms(html), redirects };
      }
      url = new URL(location, url);
      redirects.push(url.href);
      body = null;
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

/** Where a browser was left. */
export interface LastPage {
  url: string;
  status: number;
  html: string;
  redirects: readonly string[];
}

/** Somebody at the provider's pages, each time in a browser of their own. */
export interface Person {
  /** Types the code, logs in (as `alice` unless said otherwise) and allows. Throws where a page says no. */
  approveDevice(userCode: string, as?: { login?: string }): Promise<void>;
  /** Types the code and says it isn't theirs. */
  denyDevice(userCode: string): Promise<void>;
  /** Types the code, logs in, and doesn't allow it. */
  refuseConsent(userCode: string, as?: { login?: string }): Promise<void>;
  /**
   * Opens the address of an authorization request, logs in and allows (or doesn't): a browser login without a
   * browser. Follows the redirect to the client, and hands back where that ended.
   */
  logInAt(address: string, as?: { login?: string; decision?: 'allow' | 'deny' }): Promise<LastPage>;
  /** Opens an address and follows its redirects, as somebody does who was sent there. */
  open(address: string): Promise<LastPage>;
  dispose(): Promise<void>;
}

const tag = /<[^>]*>/g;

const lastPage = ({ url, status, html, redirects }: Page): LastPage => ({
  url: url.href,
  status,
  html,
  redirects,
});

/** `verificationUri` is the page where codes are typed; `caPem` is the provider's CA. */
export function createPerson(verificationUri: string, caPem: string | null): Person {
  const agent = new Agent(caPem === null ? {} : { connect: { ca: caPem } });

  const expectPage = (page: Page, name: string): void => {
    if (page.name !== name) {
      const text = page.html.replace(/<style>[\s\S]*?<\/style>/g, '').replace(tag, ' ');
      throw new Error(
        `the provider shows "${page.name}" in place of "${name}": ${text.replace(/\s+/g, ' ')}`,
      );
    }
  };

  const typeCode = async (browser: Browser, userCode: string): Promise<Page> => {
    const start = await browser.open(new URL(verificationUri));
    expectPage(start, 'code');
    const confirm = await browser.submit(start, { user_code: userCode });
    expectPage(confirm, 'confirm');
    return confirm;
  };

  const logIn = async (browser: Browser, userCode: string, login: string): Promise<Page> => {
    const form = await browser.submit(await typeCode(browser, userCode), {});
    expectPage(form, 'login');
    const consent = await browser.submit(form, { login });
    expectPage(consent, 'consent');
    return consent;
  };

  return {
    async approveDevice(userCode, { login = 'alice' } = {}) {
      const browser = new Browser(agent);
      const consent = await logIn(browser, userCode, login);
      expectPage(await browser.submit(consent, { decision: 'allow' }), 'done');
    },
    async denyDevice(userCode) {
      const browser = new Browser(agent);
      const confirm = await typeCode(browser, userCode);
      expectPage(await browser.submit(confirm, { abort: 'yes' }), 'code');
    },
    async refuseConsent(userCode, { login = 'alice' } = {}) {
      const browser = new Browser(agent);
      await browser.submit(await logIn(browser, userCode, login), { decision: 'deny' });
    },
    async logInAt(address, { login = 'alice', decision = 'allow' } = {}) {
      const browser = new Browser(agent);
      const form = await browser.open(new URL(address));
      if (form.name !== 'login') {
        return lastPage(form); // an error page, or the client's own
      }
      const consent = await browser.submit(form, { login });
      return lastPage(consent.name === 'consent' ? await browser.submit(consent, { decision }) : consent);
    },
    async open(address) {
      return lastPage(await new Browser(agent).open(new URL(address)));
    },
    async dispose() {
      await agent.destroy();
    },
  };
}
