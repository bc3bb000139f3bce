// Requests to the server. Every text in an answer is put into the page as text, never as markup.

export class Mistakes extends Error {
  constructor(errors) {
    super(errors.map((each) => each.message + (each.hint ? `\n${each.hint}` : "")).join("\n"));
    this.errors = errors;
  }
}

async function answer(response) {
  if (response.ok) return response.json();
  if (response.status === 422) throw new Mistakes((await response.json()).errors);
  throw new Error((await response.text()).trim() || response.statusText);
}

async function request(address, options) {
  let response;
  try {
    response = await fetch(address, { credentials: "same-origin", ...options });
  } catch {
    throw new Error("the page's server is gone: start 'clickbpf ui' again");
  }
  return answer(response);
}

export function get(path, values = {}) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) for (const each of [value].flat()) words.append(name, each);
  const text = words.toString();
  return request(`/api/${path}${text ? `?${text}` : ""}`);
}

export function post(path, body) {
  return request(`/api/${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

// Receives measurements until close() is called.
export function follow(path, measured, lost) {
  const source = new EventSource(`/api/${path}`);
  source.onmessage = (event) => measured(JSON.parse(event.data));
  source.onerror = () => lost();
  return source;
}
