/** The element that a selector finds. @throws Error where there is none */
export function find<T extends Element = HTMLElement>(selector: string, within: ParentNode = document): T {
  const element = within.querySelector<T>(selector);
  if (!element) throw new Error(`there is no ${selector}`);
  return element;
}

type Work = () => Promise<string>;

/** Lets a form do work instead of leaving the page. */
export function onSubmit(
  form: HTMLFormElement,
  attempt: (work: Work) => Promise<void>,
  work: (values: FormData) => Promise<string>,
): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(() => work(new FormData(form)));
  });
}
