/** The lanyard: two bands and a badge. */
export function BrandMark() {
  return (
    <svg
      viewBox="0 0 20 20"
      width="1.4em"
      height="1.4em"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      aria-hidden="true"
    >
      <path d="M5 2c0 5 5 5 5 9M15 2c0 5-5 5-5 9" />
      <rect x="6.5" y="11" width="7" height="7" rx="1.6" />
    </svg>
  );
}
