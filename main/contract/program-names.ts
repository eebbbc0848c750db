/** The helper’s name for a kubelet, in its folder of image credential providers (KEP-2133). */
export const providerName = 'lanyard-credential-provider';
