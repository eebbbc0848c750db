/**
 * The doors that issue credentials, by the name under which a call is recorded: `kube` for kubectl, helm and all that
 * read a kubeconfig (KEP-541), `cli` for `lanyard exec-credential`. A new door is added here.
 */
export const doorNames = ['kube', 'cli'] as const;

export type DoorName = (typeof doorNames)[number];
