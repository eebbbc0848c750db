export { editKubeconfigText } from './edit-kubeconfig-text.ts';
