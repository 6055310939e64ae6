/** Repairs of somebody else's page for those who cannot see it (WCAG 2.2, 2.5.3 and 4.1.2), by CSS selectors. */
interface Repairs {
  /** Names of fields and buttons that have none. */
  readonly names: Readonly<Record<string, string>>;
  /** Elements whose name is another one than the text that they show. */
  readonly misnamed: string;
  /** Links within buttons that do the same. */
  readonly nested?: string;
  /** Elements that scroll, which the keyboard is to reach too. */
  readonly scrollable?: string;
  /** The attribute of an element that has the name of the fields in it. */
  readonly naming?: string;
}

/** A script that makes the repairs, now and whenever the page changes. */
const repairing = (repairs: Repairs): string => `
{
  const { names, misnamed, nested, scrollable, naming } = ${JSON.stringify(repairs)};
  const all = (selector) => (selector ? document.querySelectorAll(selector) : []);
  const name = (element, text) => element.hasAttribute('aria-label') || element.setAttribute('aria-label', text);
  const repair = () => {
    for (const [selector, text] of Object.entries(names)) for (const element of all(selector)) name(element, text);
    for (const element of all(naming && '[' + naming + '] :is(select, textarea, input)'))
      name(element, element.closest('[' + naming + ']').getAttribute(naming));
    for (const element of all(misnamed)) element.removeAttribute('aria-label');
    for (const link of all(nested)) link.removeAttribute('href');
    for (const element of all(scrollable)) element.tabIndex = 0;
  };
  let isDue = false;
  new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      repair();
    });
  }).observe(document, { childList: true, subtree: true });
}
`;

export const SWAGGER_NAMES = repairing({
  names: {
    '#servers': 'Server',
    '.close-modal': 'Close',
    'textarea.body-param__text': 'Request body',
    '.examples-select-element': 'Example',
  },
  misnamed: '.auth-btn-wrapper button[aria-label]',
  // They are in the buttons that open operations, which set the address as well.
  nested: '.opblock-summary-control a[href]',
  scrollable: 'pre.microlight',
  naming: 'data-param-name',
});

export const REFERENCE_NAMES = repairing({
  names: { [String.raw`button.group\/copy-button`]: 'Copy' },
  misnamed: 'button.show-more[aria-label]',
});
