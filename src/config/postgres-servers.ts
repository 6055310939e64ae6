/**
 * The URLs of the single servers that a URL with several hosts names.
 *
 * @example serversOf('postgres://u@a:5432,b/app?x=1'); // ['postgres://u@a:5432/app?x=1', 'postgres://u@b/app?x=1']
 */
export function serversOf(url: string): readonly string[] {
  const [, start = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
  const servers = hosts.split(',');
  if (servers.length < 2) return [url];
  // What is asked of a connection is asked here, and unknown to `pg`.
  const path = rest.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '');
  return servers.map((host) => `${start}${host}${path}`);
}
