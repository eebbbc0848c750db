/** What the tests use of oidc-provider 9, which ships no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Oidc {
    route: string;
    params?: Record<string, string | undefined>;
    /** The form as it was sent. */
    body?: Record<string, string | string[] | undefined>;
    client?: { clientId: string };
  }

  interface Context {
    method: string;
    path: string;
    req: IncomingMessage;
    res: ServerResponse;
    status: number;
    type: string;
    body: unknown;
    respond?: boolean;
    readonly querystring: string;
    /** There once a route of the provider was found. */
    oidc?: Oidc;
    set(header: string, value: string): void;
  }

  interface Interaction {
    uid: string;
    prompt: { name: string; details: Record<string, unknown> };
    params: Record<string, string | undefined>;
    session?: { accountId: string };
    grantId?: string;
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    addOIDCClaims(claims: string[]): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    Grant: {
      new (properties: { accountId: string | undefined; clientId: string | undefined }): Grant;
      find(id: string): Promise<Grant | undefined>;
    };
    registerGrantType(
      name: string,
      handler: (ctx: Context) => Promise<void>,
      parameters: readonly string[],
    ): void;
    use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): this;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
      options?: { mergeWithLastSubmission?: boolean },
    ): Promise<void>;
    on(event: string, listener: (...values: unknown[]) => void): this;
  }

  export type { Context, Interaction };
}
