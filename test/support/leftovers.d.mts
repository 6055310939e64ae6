/** A line for each file in a folder, and for each process that was started with it and does not end in time. */
export function leftovers(folder: string, patienceMs?: number): Promise<string[]>;
