ELEMENT(Entered)
{
	struct SELF(entered) *entered = private(entered);

	entered->count++;
	entered->again += entered->sending;
	entered->sending++;
	emit(p, 0);
	entered->sending--;
	return STOLEN;
}
