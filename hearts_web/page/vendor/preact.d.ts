// What the page uses of preact.js: htm 3.1.1 with Preact and its hooks, from the npm package "htm"
// (preact/standalone.module.js), unchanged.

export type Node = unknown;
export function html(strings: TemplateStringsArray, ...values: unknown[]): Node;
export function render(node: Node, parent: Element): void;
export function useState<T>(first: T | (() => T)): [T, (next: T | ((now: T) => T)) => void];
export function useEffect(effect: () => void | (() => void), depends?: unknown[]): void;
export function useLayoutEffect(effect: () => void | (() => void), depends?: unknown[]): void;
export function useRef<T>(first: T): { current: T };
export function useMemo<T>(make: () => T, depends: unknown[]): T;
export function useCallback<T>(call: T, depends: unknown[]): T;
