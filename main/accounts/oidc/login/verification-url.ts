/**
 * A device authorization answer as RFC 8628, 3.2, wants it. Google's has `verification_url`, the word of the draft
 * that it was built on, and the standard's client takes no answer without `verification_uri`.
 */
export async function withVerificationUri(response: Response): Promise<Response> {
  if (!response.ok) {
    return response;
  }
  const text = await response.text();
  return new Response(renamed(text) ?? text, { status: response.status, headers: response.headers });
}

function renamed(text: string): string | null {
  try {
    const { verification_url: page, ...rest } = JSON.parse(text) as Record<string, unknown>;
    return page === undefined || Object.hasOwn(rest, 'verification_uri')
      ? null
      : JSON.stringify({ ...rest, verification_uri: page });
  } catch {
    return null; // the client says what is wrong with it
  }
}
