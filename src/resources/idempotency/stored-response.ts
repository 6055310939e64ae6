/** A response as data: it can be stored, and given again. */
export interface StoredResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly json: string;
}
