import { readdirSync } from 'node:fs';

/** Descriptors that a process is taken to use where that cannot be told. */
const ASSUMED = 64;

/**
 * How many connections a server may have open: what the process may open (`ulimit -n`) less what it has open already
 * and what it needs besides. Past it new connections are closed at once, and the process keeps serving those that it
 * has.
 *
 * @param reserved descriptors for what is opened later: database connections, files
 */
export function connectionBound(reserved: number): number {
  const limit = descriptorLimit();
  return Math.max(1, limit - descriptorsInUse() - reserved);
}

function descriptorLimit(): number {
  const { report } = process;
  // Naming the network's interfaces and peers takes seconds.
  const { excludeNetwork } = report as { excludeNetwork?: boolean };
  Object.assign(report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as {
    userLimits?: { open_files?: { soft?: number | string } };
  };
  Object.assign(report, { excludeNetwork });
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isFinite(soft) ? soft : Number.MAX_SAFE_INTEGER;
}

function descriptorsInUse(): number {
  try {
    return readdirSync('/dev/fd').length;
  } catch {
    return ASSUMED;
  }
}
