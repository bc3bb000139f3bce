/* Browsers start no workers from file:// URLs. There the site's search runs in a hidden frame, which has the interface of a worker:
 * the search looks for a class of this name. What the frame posts arrives as the worker's message, and the other way round. */
if (location.protocol === "file:") {
	window.IFrameWorker = class extends EventTarget {
		constructor(url) {
			super();
			this.frame = document.createElement("iframe");
			this.frame.hidden = true;
			document.body.appendChild(this.frame);
			const inside = this.frame.contentWindow;
			inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", {data}));
			inside.importScripts = (...sources) => Promise.all(sources.map((source) => this.load(source)));
			this.ready = this.load(String(url));
		}

		load(source) {
			return new Promise((resolve, reject) => {
				const script = this.frame.contentDocument.createElement("script");
				script.src = source;
				script.onload = resolve;
				script.onerror = reject;
				this.frame.contentDocument.body.appendChild(script);
			});
		}

		postMessage(data) {
			this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", {data})));
		}
	};
	window.Worker = window.IFrameWorker;
}
