/**
 * The doors that issue credentials, by the name in history.db: `kube` for kubectl, helm and others that read a
 * kubeconfig (KEP-541), `cli` for `lanyard exec-credential`. Add a new door here.
 */
export const doorNames = ['kube', 'cli'] as const;

export type DoorName = (typeof doorNames)[number];
