ELEMENT(InOrder)
{
	struct SELF(seen) *seen = private(seen);
	__u64 number;

	__builtin_memcpy(&number, p->data, 8);
	seen->count++;
	if (number <= seen->last)
		seen->late++;
	seen->last = number;
	return OUTPUT(0);
}
