import { useMemo } from 'react';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { hrefOf } from '../../../navigation/route.ts';
import { useClient } from '../../../stores/use-broker.tsx';
import { failureOf } from '../../../stores/use-call.ts';
import { copyText } from '../../../ui/copy-text.ts';
import { showRenewed } from '../../../ui/show-renewed.ts';
import { useToast } from '../../../ui/toast.tsx';
import { useLogin } from '../../login/use-login.ts';

/** No kubeconfig has a context for the cluster: what comes next is to choose how kubectl finds it. */
export const noContextCode = 'kubeconfig.noContext';

export interface RowActions {
  open(cluster: ClusterView): void;
  logIn(cluster: ClusterView): void;
  setSecret(cluster: ClusterView): void;
  confirm(): void;
  renew(cluster: ClusterView): void;
  copy(cluster: ClusterView): void;
  /** How kubectl finds clusters, chosen in Lanyard’s own window. */
  addContexts(): void;
  /** Keeps it at the top of the list, or no longer. */
  favorite(cluster: ClusterView, favorite: boolean): void;
  /** Asks first: other clusters of the account lose their credentials, too. */
  logOut(cluster: ClusterView): void;
}

export interface RowActionsDeps {
  open(cluster: string): void;
}

/** The actions of a cluster in the list. The same object as long as the page is open. */
export function useRowActions({ open }: RowActionsDeps): RowActions {
  const client = useClient();
  const toast = useToast();
  const login = useLogin();
  return useMemo(() => {
    const addContexts = () => {
      client.call('window.open', { what: 'contexts' }).catch((error) => toast.fail(failureOf(error)));
    };
    return {
      addContexts,
      open: ({ name }) => open(name),
      logIn: ({ account }) => login.open(account),
      setSecret({ account }) {
        window.location.hash = hrefOf('accounts', account);
      },
      confirm() {
        client.call('window.open', { what: 'confirm' }).catch((error) => toast.fail(failureOf(error)));
      },
      renew({ name }) {
        client.call('cluster.renew', { cluster: name }).then(
          ({ renewed }) => showRenewed(toast, name, renewed),
          (error) => toast.fail(failureOf(error)),
        );
      },
      favorite({ name }, favorite) {
        client
          .call('cluster.favorite', { cluster: name, favorite })
          .catch((error) => toast.fail(failureOf(error)));
      },
      async copy({ name }) {
        try {
          const { line } = await client.call('cluster.kubectlLine', { cluster: name });
          await copyText(line);
          toast.show('Copied', line);
        } catch (error) {
          const failure = failureOf(error);
          if (failure.code === noContextCode) {
            addContexts();
          } else {
            toast.fail(failure);
          }
        }
      },
      logOut: ({ account }) => login.openLogout(account),
    };
  }, [client, toast, login, open]);
}
