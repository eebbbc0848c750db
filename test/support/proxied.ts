import { makeHome, type TestHome } from './home.ts';
import { RequestProxy, type StatedCluster, type Step } from './request-proxy.ts';

/** Clusters behind the request proxy, and a home for the programs that use them. */
export class Proxied {
  readonly home: TestHome = makeHome();
  readonly proxy: RequestProxy;

  private constructor(proxy: RequestProxy) {
    this.proxy = proxy;
  }

  /** `chain`: what each request of a cluster gets. */
  static async open(
    clusters: Readonly<Record<string, StatedCluster & { chain: readonly Step[] }>>,
  ): Promise<Proxied> {
    const proxy = await RequestProxy.start();
    proxy.give = ({ cluster }) => ({ steps: clusters[String(cluster)]?.chain ?? [] });
    await proxy.setClusters(
      Object.fromEntries(Object.entries(clusters).map(([name, { chain: _, ...stated }]) => [name, stated])),
    );
    await proxy.open();
    return new Proxied(proxy);
  }

  /** A kubeconfig with a way in to that cluster; the test’s own process is the one that it was made for. */
  kubeconfig(cluster: string): string {
    const { proxy, home } = this;
    const certificate = Buffer.from(proxy.ca).toString('base64');
    const server = `https://127.0.0.1:${proxy.port}/c/${cluster}`;
    return home.write(
      `kubeconfig-${cluster}`,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: cluster, cluster: { server, 'certificate-authority-data': certificate } }],
        users: [{ name: cluster, user: { token: proxy.token(cluster) } }],
        contexts: [{ name: cluster, context: { cluster, user: cluster } }],
        'current-context': cluster,
      }),
    );
  }

  async dispose(): Promise<void> {
    await this.proxy.dispose();
    this.home.dispose();
  }
}
