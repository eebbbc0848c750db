/**
 * How much of a ClusterProfile is read (rule: bounded-input). Kubernetes’ and v1alpha2’s own limits where there are any
 * (names, servers, providers); else more than a cluster manager writes.
 */

/** v1alpha2’s limit, for v1alpha1 and for files, too. */
export const mostProviders = 64;
/** v1alpha2’s limit. */
export const longestProviderName = 253;
/** v1alpha2’s limit. */
export const longestUrl = 2048;
export const longestHostName = 253;
/** Characters of PEM: a CA of a few certificates. */
export const longestAuthority = 64 * 1024;

export const mostExtensions = 64;
/** Bytes of JSON; spec.cluster.config has the same in config.yaml. */
export const largestExtension = 64 * 1024;
/** Objects, lists, texts and so on: an empty list of three bytes takes some forty in memory. */
export const mostExtensionValues = 4096;
export const mostArguments = 64;
export const mostVariables = 64;
/** Characters of an argument or of a variable’s value. */
export const longestValue = 4096;
/** As `allowedEnvVars` has them. */
export const longestVariableName = 127;

export const mostLabels = 128;
export const mostConditions = 32;
export const mostProperties = 256;
/** Characters for display: a display name, a version, a location. */
export const longestText = 253;
/** Characters of a condition’s message. */
export const longestMessage = 1000;
export const mostProblems = 16;
