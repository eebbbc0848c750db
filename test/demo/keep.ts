import { names, type Stage } from './stage.ts';

/** Says what to try by hand while everything is kept running. */
export function explainKept(stage: Stage): void {
  const { screen, home } = stage;
  const loginPage = stage.options.browser
    ? ''
    : '   (the browser will warn: the certificate is this demo’s own; not so with --browser)';
  screen.print(`
Everything is still running. In another terminal:

   export LANYARD_HOME=${home.path}
   export KUBECONFIG=${stage.kubeconfig}
   export PATH=${stage.helperFolder}:$PATH

   kubectl get pods                                      as the person who logged in
   kubectl --context ${names.certificateCluster} get pods                   with the client certificate
   lanyard status                                        what is held, for whom, how long
   lanyard account list; lanyard cluster list
   lanyard logout ${names.account}; kubectl get pods                offers a login on your terminal
   lanyard login ${names.account}                                   and approve it in a browser${loginPage === '' ? '' : `\n${loginPage}`}
   lanyard lock; kubectl get pods                        refused until you unlock:
   lanyard unlock --passphrase-file ${home.outside}/passphrase

kubectl here was ${stage.kubectl.path}.
Ctrl-C in this terminal ends it all and removes ${home.outside}.`);
}
