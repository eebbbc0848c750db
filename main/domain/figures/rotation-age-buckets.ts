/** Seconds, as client-go counts a certificate's age at its rotation (KEP-541). */
export const rotationAgeBuckets = [
  600, 1_800, 3_600, 14_400, 86_400, 604_800, 2_592_000, 7_776_000, 15_552_000, 31_104_000, 124_416_000,
];
